/** A conversation with tools through the gateway, for one agent, model and upstream. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendJson, startUpstream, type TestUpstream } from '../support/upstream.ts';
import type { Agent, Form } from './agent.ts';
import { checkReport, checkRows, checkSignatures } from './checks.ts';
import type { Program } from './install.ts';
import { createScript, fileNames, prompt, type Script } from './script.ts';
import type { Site } from './site.ts';
import { layOut, startAgent } from './start-agent.ts';
import { startTap } from './tap.ts';
import { stream, type Wire, type WireName } from './wire.ts';
import { wires } from './wires.ts';

export interface Run {
  readonly agent: Agent;
  readonly model: string;
  readonly wire: WireName;
  readonly form: Form;
}

/** The form of agents that have only one. */
export const commonForm: Form = { streamed: true, channels: 'one' };

export interface Outcome {
  readonly answers: number;
  readonly charged: number;
  /** Detected faults; empty: success. */
  readonly faults: readonly string[];
  /** A folder with requests, replies and the output of the agent; only written after a fault. */
  readonly record: string;
}

/**
 * An upstream that follows a script. It refuses unexpected requests and records them in `faults`.
 */
async function openUpstream(
  wire: Wire,
  agent: Agent,
  native: boolean,
  script: Script,
  faults: string[],
): Promise<TestUpstream> {
  const upstream = await startUpstream();
  upstream.answer(async (response, request) => {
    try {
      if (!wire.serves(request.path))
        throw new Error(`the upstream was asked for ${request.method} ${request.path}`);
      const asked = wire.read(request, native);
      if (native) faults.push(...(agent.checkForwarded?.(request) ?? []));
      const streamed = wire.streams?.(request) ?? request.json['stream'] === true;
      if (streamed) await stream(response, wire.write(script.answer(asked), request));
      else sendJson(response, 200, wire.writeWhole(script.answer(asked), request));
    } catch (error) {
      faults.push((error as Error).message);
      sendJson(response, 400, {
        error: { message: (error as Error).message, type: 'invalid_request_error' },
      });
    }
  });
  return upstream;
}

export async function runAgent(
  site: Site,
  program: Program,
  { agent, model, wire: wireName, form }: Run,
): Promise<Outcome> {
  const { streamed } = form;
  // The token's name, by which the log rows of this run are found: no other run may have it.
  const name = `${agent.name} ${model} ${wireName} ${streamed ? 'streamed' : 'whole'}`
    .slice(-50)
    .replace(/^-/, '');
  const wire = wires[wireName];
  const native = agent.wire === wireName;
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-agent-'));
  const words = fileNames.map(() => `word-${randomBytes(6).toString('hex')}`);
  layOut(
    join(folder, 'work'),
    Object.fromEntries(fileNames.map((file, index) => [file, `${words[index]}\n`])),
  );
  const script = createScript(agent.read, words, { ...wire, needs: agent.offers?.[model] });
  const faults: string[] = [];
  const upstream = await openUpstream(wire, agent, native, script, faults);
  const tap = await startTap(site.url);
  const { key, close } = await site.open({
    name,
    wire: { ...wire, setting: { ...wire.setting, ...agent.setting } },
    baseUrl: upstream.url,
    model,
    channels: form.channels,
  });
  try {
    const finished = await startAgent(
      agent,
      program,
      { url: tap.url, key, model, streamed },
      prompt,
      folder,
    );
    layOut(folder, {
      stdout: finished.stdout,
      stderr: finished.stderr,
      traffic: tap.lines.join('\n'),
    });
    const last = upstream.requests.at(-1)?.text ?? '';
    faults.push(...script.faults, ...(agent.checkTraffic?.(tap.lines) ?? []));
    faults.push(
      ...(native && wire.hasSignatures && agent.refers !== true
        ? checkSignatures(script, last)
        : []),
    );
    faults.push(...checkReport(agent, finished, words, script, streamed));
  } catch (error) {
    faults.push((error as Error).message);
  } finally {
    await tap.close();
    await close();
    await upstream.close();
  }
  const secret = key.replace(/^sk-/, '');
  const leaked = upstream.requests.some(
    ({ text, headers }) => text.includes(secret) || JSON.stringify(headers).includes(secret),
  );
  if (leaked) faults.push('the caller’s key went upstream');
  layOut(
    folder,
    Object.fromEntries(
      upstream.requests.map(({ text }, index) => [`request-${index + 1}.json`, text]),
    ),
  );
  const rows = await site.rows(name);
  faults.push(...checkRows(rows, script, { model, streamed }));
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  const charged = rows.reduce((all, { quota }) => all + quota, 0);
  return { answers: script.turns.length, charged, faults: [...new Set(faults)], record: folder };
}
