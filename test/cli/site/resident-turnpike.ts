/**
 * The command `turnpike` for shell scripts, without a process per command: a shell script of that
 * name hands its arguments, input and environment to this process, which runs the command line as
 * the program does. `serve` starts a process.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCommandLine } from '../../../src/cli/run.ts';
import type { Sink } from '../../../src/cli/show/output.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { program } from '../../support/program.ts';
import { expectDeclaredJson } from '../declared-json.ts';

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The client: everything goes through files of a new folder, and the reply is the exit code. */
const client = (socket: string) => `#!/usr/bin/env bash
[[ \${1:-} == serve ]] && exec ${quoted(process.execPath)} ${quoted(program)} "$@"
call=$(mktemp -d)
trap 'rm -rf "$call"' EXIT
printf '%s\\0' "$@" >"$call/words"
export TURNPIKE_CONFIG_DIR=$HOME/.config/turnpike
env -0 >"$call/environment"
cat >"$call/stdin"
code=$(curl -sS --unix-socket ${quoted(socket)} --data-binary "$call" http://turnpike/)
cat "$call/stdout"
cat "$call/stderr" >&2
exit "$code"
`;

class FileSink extends PassThrough implements Sink {
  readonly #file: string;
  text = '';
  constructor(file: string) {
    super();
    this.#file = file;
  }
  override write(chunk: unknown): boolean {
    this.text += String(chunk);
    return true;
  }
  save(): void {
    writeFileSync(this.#file, this.text);
  }
}

const parts = (file: string) => readFileSync(file, 'utf8').split('\0').slice(0, -1);

async function runCall(folder: string): Promise<number> {
  const stdout = new FileSink(join(folder, 'stdout'));
  const stderr = new FileSink(join(folder, 'stderr'));
  const environment = Object.fromEntries(
    parts(join(folder, 'environment')).map((line) => [
      line.slice(0, line.indexOf('=')),
      line.slice(line.indexOf('=') + 1),
    ]),
  );
  const argv = parts(join(folder, 'words'));
  let exitCode: number = await runCommandLine({
    argv,
    environment,
    stdin: Readable.from([readFileSync(join(folder, 'stdin'))]),
    stdout,
    stderr,
    clock: systemClock,
    stop: () => new AbortController().signal,
  });
  if (argv.includes('--json') && stdout.text !== '')
    await expectDeclaredJson(argv, stdout.text).catch((error: unknown) => {
      stderr.write(String(error));
      exitCode = 99;
    });
  stdout.save();
  stderr.save();
  return exitCode;
}

/** Puts `turnpike` and `node` into a folder below `folder`, for the PATH of a script. */
export async function startResidentTurnpike(
  folder: string,
): Promise<{ readonly path: string; close(): void }> {
  const path = join(folder, 'bin');
  mkdirSync(path);
  const socket = join(folder, 'socket');
  writeFileSync(join(path, 'turnpike'), client(socket));
  writeFileSync(join(path, 'node'), `#!/bin/sh\nexec ${quoted(process.execPath)} "$@"\n`);
  for (const name of ['turnpike', 'node']) chmodSync(join(path, name), 0o755);
  const server = createServer((request, response) => {
    let call = '';
    request.on('data', (chunk) => {
      call += String(chunk);
    });
    request.on('end', () => void runCall(call).then((exitCode) => response.end(String(exitCode))));
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return { path, close: () => void server.close() };
}
