/**
 * `node scripts/count-stations.ts [--list]`: through how many files of `src` one streamed chat goes,
 * with `--list` which, and how many functions of each run. A gateway in this process serves the chat
 * several times before it is counted, so that nothing is read or made for the first time.
 */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startTestGateway } from '../test/support/gateway.ts';
import { chatStream, startUpstream } from '../test/support/upstream.ts';

const warmUps = 3;
/** Files of which no more functions run than this are worth a look: they may be seams. */
const few = 2;

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
const source = fileURLToPath(new URL('../src/', import.meta.url));

const upstream = await startUpstream();
upstream.answer(chatStream(['Hello', ' world']));
const gateway = await startTestGateway();
await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
const { key } = await gateway.addCustomer(10_000_000);

async function chat(): Promise<void> {
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o',
      stream: true,
      messages: [{ role: 'user', content: 'Hello' }],
    }),
  });
  const text = await reply.text();
  if (!text.includes('[DONE]')) throw new Error(`the chat failed: ${reply.status} ${text}`);
}

const profiler = new Session();
profiler.connect();
await profiler.post('Profiler.enable');
await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
for (let round = 0; round < warmUps; round += 1) await chat();
// Counts begin anew each time they are taken.
await profiler.post('Profiler.takePreciseCoverage');
await chat();
const { result } = await profiler.post('Profiler.takePreciseCoverage');

const stations = result
  .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(source))
  .map(({ url, functions }) => ({
    file: `src/${relative(source, fileURLToPath(url))}`,
    functions: functions.filter(({ ranges: [range] }) => (range?.count ?? 0) > 0).length,
  }))
  .filter(({ functions }) => functions > 0)
  .sort((one, other) => one.file.localeCompare(other.file));
if (values.list)
  for (const { file, functions } of stations) process.stdout.write(`${functions}\t${file}\n`);
const thin = stations.filter(({ functions }) => functions <= few).length;
process.stdout.write(`${stations.length} files, ${thin} of them for at most ${few} functions\n`);

await gateway.close();
await upstream.close();
