/** The line below an answer, as texts. */
import type { useMoney } from '../../../hooks/use-money.ts';
import type { Translate } from '../../../i18n/index.ts';
import { type ChatMessage, roughTokens } from './message.ts';
import type { MessageActions } from './message-actions.ts';

type Cost = ReturnType<typeof useMoney>['cost'];

const seconds = (ms: number) => (ms / 1000).toFixed(ms < 10_000 ? 2 : 1);

/** While text comes: state, first token, tokens, speed, cost so far. */
export function figuresSoFar(
  message: ChatMessage,
  estimate: MessageActions['estimate'],
  t: Translate,
  cost: Cost,
): readonly string[] {
  const { status, firstMs, createAt, content, reasoning } = message;
  if (status === 'loading' || firstMs === undefined) return [t('playground.state.loading')];
  const tokens = roughTokens(content) + roughTokens(reasoning);
  const since = (Date.now() - createAt - firstMs) / 1000;
  const about = estimate(message, tokens);
  return [
    t('playground.state.running'),
    t('playground.stat.first', { time: seconds(firstMs) }),
    t('playground.stat.tokens.about', { tokens: tokens.toLocaleString('en-US') }),
    ...(since < 0.5 ? [] : [t('playground.stat.speed', { speed: Math.round(tokens / since) })]),
    ...(about === undefined ? [] : [`≈ ${cost(about).text}`]),
  ];
}

/** Afterwards: how it ended, time, tokens, charge. */
export function finalFigures(
  { ended, totalMs, outputTokens, quota }: ChatMessage,
  t: Translate,
  cost: Cost,
): readonly string[] {
  return [
    ...(ended === undefined
      ? []
      : [t(ended === 'left' ? 'playground.state.left' : 'playground.state.stopped')]),
    ...(totalMs === undefined ? [] : [t('playground.stat.time', { time: seconds(totalMs) })]),
    ...(outputTokens === undefined
      ? []
      : [t('playground.stat.tokens', { tokens: outputTokens.toLocaleString('en-US') })]),
    ...(quota === undefined ? [] : [t('playground.stat.cost', { cost: cost(quota).text })]),
  ];
}
