/**
 * The completion script in a real bash without start-up files, so without the bash-completion
 * package.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bashCompletion } from '../../src/cli/command/bash-completion.ts';
import { program } from '../support/program.ts';

function hasBash(): boolean {
  try {
    execFileSync('bash', ['--version']);
    return true;
  } catch {
    return false;
  }
}

/**
 * What bash would insert: the script is sourced and called as readline does. `words` are the words
 * as bash splits them, the last one being completed.
 */
function complete(
  line: string,
  words: readonly string[],
  replaced: string,
  command = `TURNPIKE_CONFIG_DIR='${folder}' '${process.execPath}' '${program}'`,
): string[] {
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const script = `
    turnpike() { ${command} "$@"; }
    ${bashCompletion}
    COMP_LINE='${line.replaceAll("'", `'\\''`)}' COMP_POINT=${line.length} COMP_WORDS=(${quoted}) COMP_CWORD=${words.length - 1}
    __turnpike_complete turnpike '${replaced}' ''
    printf '%s\\n' "\${COMPREPLY[@]}"
    type -t _get_comp_words_by_ref _init_completion && echo 'the package is loaded'`;
  try {
    return execFileSync('bash', ['--norc', '--noprofile', '-c', `${script}\ntrue`], {
      encoding: 'utf8',
    })
      .split('\n')
      .filter(Boolean);
  } catch (error) {
    throw new Error(String((error as { stderr?: unknown }).stderr), { cause: error });
  }
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-bash-'));
  const profile = { server: 'http://127.0.0.1:9', access_token: 't' };
  writeFileSync(join(folder, 'profiles.json'), JSON.stringify({ home: profile }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasBash())('completion in bash without the bash-completion package', () => {
  test.each([
    ['turnpike chan', ['turnpike', 'chan'], 'chan', ['channels']],
    ['turnpike channels fe', ['turnpike', 'channels', 'fe'], 'fe', ['fetch-models']],
    [
      'turnpike completion ',
      ['turnpike', 'completion', ''],
      '',
      ['bash', 'zsh', 'fish', 'powershell'],
    ],
    [
      'turnpike users add --role ',
      ['turnpike', 'users', 'add', '--role', ''],
      '',
      ['user', 'admin'],
    ],
    [
      'turnpike users add --role=a',
      ['turnpike', 'users', 'add', '--role', '=', 'a'],
      'a',
      ['admin'],
    ],
    [
      'turnpike users add --role=',
      ['turnpike', 'users', 'add', '--role', '='],
      '',
      ['user', 'admin'],
    ],
    ['turnpike users add --nope-', ['turnpike', 'users', 'add', '--nope-'], '--nope-', []],
    [
      'turnpike users list --profile h',
      ['turnpike', 'users', 'list', '--profile', 'h'],
      'h',
      ['home'],
    ],
  ])('%s', (line, words, replaced, expected) => {
    expect(complete(line, words, replaced)).toEqual(expected);
  });

  test('typed words are not evaluated', () => {
    const word = '$(touch /nowhere/else)';
    expect(
      complete(`turnpike users ${word}`, ['turnpike', 'users', word], word, "printf '%s\\n'"),
    ).toEqual([word]);
  });
});
