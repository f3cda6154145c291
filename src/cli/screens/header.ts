/** The first line: whether the gateway is reachable, and its current traffic. */
import { formatTokenCount } from '../../core/pricing/format.ts';
import { type Line, line, type Span, span, spread } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import { successShare } from '../show/money.ts';
import { formatSpan } from '../show/times.ts';
import { wideFrom } from './sizes.ts';
import type { Host } from './view.ts';

export function drawHeader(host: Host, address: string, width: number): Line {
  const { overview, failure, isAway } = host.live;
  const { glyphs } = host;
  const state =
    failure === undefined
      ? span(`${glyphs.on} ${host.localize(texts.open)}`, 'ok')
      : span(`${glyphs.failed} ${host.localize(isAway ? texts.lost : texts.refused)}`, 'error');
  const left = line(span('Turnpike ', 'title'), state, ` ${address}`);
  if (overview === undefined) {
    return spread(
      left,
      line(span(failure === undefined ? host.localize(texts.connecting) : '', 'dim')),
      width,
      glyphs,
    );
  }
  const figures: Span[] = [];
  const push = (text: string, tone: Tone = 'plain') =>
    figures.push(span(`${figures.length === 0 ? '' : '   '}${text}`, tone));
  if (width >= wideFrom - 4) {
    push(
      `${host.localize(texts.up)} ${formatSpan(host.cells.now - overview.started_at, host.cells.language)}`,
      'dim',
    );
  }
  push(`${overview.rpm} rpm`);
  push(`${formatTokenCount(overview.tpm)} tpm`);
  const share = successShare(overview);
  if (width >= wideFrom - 4 && share !== undefined)
    push(host.localize(texts.successful, { share }));
  push(
    host.localize(texts.today, { amount: host.cells.money.total(overview.spent_today) }),
    'money',
  );
  return spread(left, figures, width, glyphs);
}

const texts = {
  open: { en: 'running', zh: '运行中' },
  lost: { en: 'unreachable', zh: '无法连接' },
  refused: { en: 'refuses', zh: '拒绝访问' },
  connecting: { en: 'connecting', zh: '连接中' },
  up: { en: 'up', zh: '已运行' },
  successful: { en: '{share} ok', zh: '成功率 {share}' },
  today: { en: '{amount} today', zh: '今日 {amount}' },
} as const;
