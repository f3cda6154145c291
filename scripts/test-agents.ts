/**
 * `npm run test:agents [-- WORD…]`: Claude Code, Codex, Gemini CLI and opencode through the built gateway, each over every
 * kind of upstream. WORDs pick runs by agent, model or wire (messages, chat, gemini, responses).
 */
import type { Agent } from '../test/agents/agent.ts';
import { agents } from '../test/agents/agents.ts';
import { type Bench, openBench } from '../test/agents/bench.ts';
import { install, type Program } from '../test/agents/install.ts';
import { runAgent } from '../test/agents/run.ts';
import { wireNames } from '../test/agents/wire.ts';
import { wires } from '../test/agents/wires.ts';

const wanted = process.argv.slice(2);
const say = (line: string) => process.stdout.write(`${line}\n`);
const count = { passed: 0, failed: 0, skipped: 0, charged: 0 };

function picked(agent: Agent) {
  const runs = agent.models.flatMap((model) => wireNames.map((wire) => ({ model, wire })));
  return runs.filter(({ model, wire }) => wanted.every((word) => [agent.name, model, wire].includes(word)));
}

async function tryAgent(bench: Bench, agent: Agent, program: Program): Promise<void> {
  for (const { model, wire } of picked(agent)) {
    const started = performance.now();
    const outcome = await runAgent(bench, agent, program, model, wires[wire], wire);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const passed = outcome.faults.length === 0;
    count[passed ? 'passed' : 'failed'] += 1;
    count.charged += outcome.charged;
    const title = `${passed ? '✓' : '✗'} ${agent.name} asks for ${model}, served by ${wire}`;
    say(`${title}: ${outcome.requests} answers, ${outcome.charged} quota, ${seconds} s`);
    for (const fault of outcome.faults) say(`    ${fault}`);
    if (!passed) say(`    recorded in ${outcome.record}`);
  }
}

const bench = await openBench([...new Set(agents.flatMap(({ models }) => models))]);
try {
  for (const agent of agents) {
    if (picked(agent).length === 0) continue;
    try {
      await tryAgent(bench, agent, install(agent));
    } catch (error) {
      count.skipped += 1;
      say(`! ${agent.name} ${agent.version} SKIPPED: ${(error as Error).message}`);
    }
  }
  const drift = await bench.settle(count.charged);
  for (const fault of drift) say(`✗ the books: ${fault}`);
  say(`${count.passed} passed, ${count.failed} failed, ${count.skipped} agents skipped`);
  process.exitCode = count.failed === 0 && drift.length === 0 && count.passed > 0 ? 0 : 1;
} finally {
  await bench.stop();
}
