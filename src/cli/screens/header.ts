/** The first line: is the gateway there, and what goes through it now. */
import { formatTokenCount } from '../../core/pricing/format.ts';
import { type Line, line, type Span, span, spread } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import { successShare } from '../show/money.ts';
import { formatSpan } from '../show/times.ts';
import { wideFrom } from './sizes.ts';
import type { Host } from './view.ts';

export function drawHeader(host: Host, address: string, width: number): Line {
  const { overview, failure } = host.live;
  const { glyphs } = host;
  const state =
    failure === undefined
      ? span(`${glyphs.on} ${host.say(texts.open)}`, 'ok')
      : span(`${glyphs.failed} ${host.say(texts.lost)}`, 'error');
  const left = line(span('Turnpike ', 'title'), state, ` ${address}`);
  if (overview === undefined) return spread(left, line(span(host.say(texts.connecting), 'dim')), width, glyphs);
  const figures: Span[] = [];
  const push = (text: string, tone: Tone = 'plain') => figures.push(span(`${figures.length === 0 ? '' : '   '}${text}`, tone));
  if (width >= wideFrom - 4) {
    push(`${host.say(texts.up)} ${formatSpan(host.cells.now - overview.started_at, host.cells.language)}`, 'dim');
  }
  push(`${overview.rpm} rpm`);
  push(`${formatTokenCount(overview.tpm)} tpm`);
  const share = successShare(overview);
  if (width >= wideFrom - 4 && share !== undefined) push(`${share} ${host.say(texts.fine)}`);
  push(host.cells.money.total(overview.spent_today), 'money');
  figures.push(span(` ${host.say(texts.today)}`));
  return spread(left, figures, width, glyphs);
}

const texts = {
  open: { en: 'open', zh: '运行中' },
  lost: { en: 'no answer', zh: '无应答' },
  connecting: { en: 'connecting', zh: '连接中' },
  up: { en: 'up', zh: '已运行' },
  fine: { en: 'ok', zh: '成功' },
  today: { en: 'today', zh: '今日' },
} as const;
