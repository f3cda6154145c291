/**
 * `npm run test:agents [-- FILTER…]`: runs Claude Code, Codex, Gemini CLI and opencode through the
 * built gateway, then the client libraries (`vercel/responses`), each with every kind of upstream.
 * FILTERs select runs by agent, library, model or the upstream's wire format (messages, chat,
 * gemini, responses).
 */
import type { Agent } from '../test/agents/agent.ts';
import { agents } from '../test/agents/agents.ts';
import { install, type Program } from '../test/agents/install.ts';
import { commonForm, type Run, runAgent } from '../test/agents/run.ts';
import { openSite, type Site } from '../test/agents/site.ts';
import { wireNames } from '../test/agents/wire.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const count = { passed: 0, failed: 0, skipped: 0, charged: 0 };

function runsOf(agent: Agent): Run[] {
  const filters = process.argv.slice(2);
  const forms = agent.forms ?? [commonForm];
  const all = agent.models.flatMap((model) =>
    wireNames.flatMap((wire) => forms.map((form) => ({ agent, model, wire, form }))),
  );
  const words = ({ model, wire }: Run) => [agent.name, ...agent.name.split('/'), model, wire];
  return all.filter((run) => filters.every((filter) => words(run).includes(filter)));
}

const formOf = ({ form }: Run) =>
  `${form.streamed ? 'streamed' : 'whole'}, ${form.channels === 'two keys' ? '' : 'channels: '}${form.channels}`;

/** Prints a message and returns undefined if npm cannot install the agent. */
function programOf(agent: Agent): Program | undefined {
  try {
    return install(agent);
  } catch (error) {
    count.skipped += 1;
    print(
      `! ${agent.package} ${agent.version} SKIPPED, npm did not give it: ${(error as Error).message}`,
    );
    return undefined;
  }
}

async function tryRun(site: Site, program: Program, run: Run): Promise<void> {
  const started = performance.now();
  const { answers, charged, faults, record } = await runAgent(site, program, run);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const passed = faults.length === 0;
  count[passed ? 'passed' : 'failed'] += 1;
  count.charged += charged;
  print(
    `${passed ? '✓' : '✗'} ${run.agent.name}, ${run.model}, over ${run.wire}, ${formOf(run)}: ${answers} answers, ${charged} quota, ${seconds} s`,
  );
  for (const fault of faults) print(`    ${fault}`);
  if (!passed) print(`    recorded in ${record}`);
}

const picked = agents.filter((agent) => runsOf(agent).length > 0);
const site = await openSite([...new Set(picked.flatMap(({ models }) => models))]);
try {
  for (const agent of picked) {
    const program = programOf(agent);
    if (program === undefined) continue;
    for (const run of runsOf(agent)) await tryRun(site, program, run);
  }
  const drift = await site.settle(count.charged);
  for (const fault of drift) print(`✗ the books: ${fault}`);
  print(
    `${count.passed} passed, ${count.failed} failed, ${count.skipped} agents skipped; ${count.charged} quota charged`,
  );
  process.exitCode = count.failed === 0 && drift.length === 0 && count.passed > 0 ? 0 : 1;
} finally {
  await site.stop();
}
