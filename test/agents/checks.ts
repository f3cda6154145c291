/** Checks after a conversation: of the agent, the upstream and the log. */
import { readLogOther } from '../../src/core/contract/log-other.ts';
import { logTypes } from '../../src/core/vocabulary/log-types.ts';
import type { Agent, ReportedTokens, Target } from './agent.ts';
import { type Script, signatureOf, type Tokens } from './script.ts';
import { chargeFor, type LogRow } from './site.ts';
import type { Finished } from './start-agent.ts';

function expectedTokens(script: Script): ReportedTokens {
  const spent = script.turns.filter(({ number }) => number > 0).map(({ tokens }) => tokens);
  const sum = (of: (tokens: Tokens) => number) =>
    spent.reduce((all, tokens) => all + of(tokens), 0);
  return {
    prompt: sum(({ fresh, cached, written }) => fresh + cached + written),
    cached: sum(({ cached }) => cached),
    output: sum(({ output }) => output),
  };
}

/** Its final text contains the contents of the files, and its token counts match the upstream. */
export function checkReport(
  agent: Agent,
  { code, stdout, stderr }: Finished,
  words: readonly string[],
  script: Script,
  streamed: boolean,
): string[] {
  if (code !== 0) return [`it ended with ${code}: ${(stderr || stdout).trim().slice(-600)}`];
  const { text, shown } = agent.report(stdout);
  const expected = expectedTokens(script);
  const missing = words.filter((word) => !text.includes(word));
  const wrong = agent.misreports?.(streamed) ?? [];
  const counts = (Object.keys(expected) as (keyof ReportedTokens)[]).filter(
    (name) => !wrong.includes(name),
  );
  const differs = counts.filter((name) => shown[name] !== expected[name]);
  return [
    ...(missing.length === 0 ? [] : [`its last words lack ${missing.join(', ')}: ${text}`]),
    ...differs.map(
      (name) => `it shows ${shown[name]} tokens of ${name} instead of ${expected[name]}`,
    ),
  ];
}

/**
 * The last request contains the thinking signature of each turn, if the agent uses the upstream's
 * format.
 */
export function checkSignatures(script: Script, lastRequest: string): string[] {
  const thought = script.turns.filter(({ thinking }) => thinking !== undefined);
  return thought
    .filter(({ number }) => !lastRequest.includes(signatureOf(number)))
    .map(({ number }) => `the proof of thinking ${number} did not come back`);
}

/** A log row for each reply, charged by the reported usage. */
export function checkRows(
  rows: readonly LogRow[],
  { turns }: Script,
  { model, streamed }: Pick<Target, 'model' | 'streamed'>,
): string[] {
  const usage = rows.filter((row) => row.type === logTypes.consume);
  const inOrder = (values: readonly number[]) =>
    values.toSorted((one, other) => one - other).join(', ');
  const charged = inOrder(usage.map(({ quota }) => quota));
  const owed = inOrder(turns.map(({ tokens }) => chargeFor(tokens)));
  const others = rows.filter((row) => row.type !== logTypes.consume);
  return [
    ...(charged === owed ? [] : [`charged ${charged || 'nothing'}, owed ${owed}`]),
    ...others.map((row) => `an unexpected log row: ${row.content.slice(0, 300)}`),
    ...usage.flatMap((row) => {
      const { usage_source: source = 'upstream', ended } = readLogOther(row.other);
      return [
        ...(source === 'upstream' ? [] : ['a row is charged by our own count']),
        ...(ended === undefined ? [] : [`a row says that its stream ended early: ${ended}`]),
        ...(row.is_stream === streamed
          ? []
          : [`a row says that its answer was ${streamed ? 'no' : 'a'} stream`]),
        ...(row.model_name === model ? [] : [`a row is for ${row.model_name}`]),
      ];
    }),
  ];
}
