/** The title of a list of entities: how many rows of how many, and which ones. */
import { type Line, line, span } from '../kit/lines.ts';
import type { List } from '../kit/list.ts';
import type { EntityRows } from './entity-rows.ts';
import type { EntitySpec } from './entity-spec.ts';
import type { Host } from './view.ts';

export function drawListTitle<Row>(
  spec: EntitySpec<Row>,
  rows: EntityRows<Row>,
  list: List<Row>,
  host: Host,
  isOpen: boolean,
): Line {
  const total = { shown: list.rows.length, total: rows.total };
  const count = rows.isComplete ? ` ${list.rows.length}` : ` ${host.localize(texts.some, total)}`;
  const parts = [host.localize(spec.title) + (rows.isLoaded ? count : '')];
  const selected = list.selectedKeys.size;
  if (selected > 0) parts.push(host.localize(texts.selected, { count: selected }));
  if (spec.tags !== undefined)
    parts.push(host.localize(spec.tags.title, { tag: tagText(rows.tag, host) }));
  const order = rows.orderTitle;
  const by = rows.isPartlySorted ? texts.byAmongLoaded : texts.by;
  if (order !== undefined) parts.push(host.localize(by, { order: host.localize(order) }));
  if (rows.filter !== '') parts.push(`/${rows.filter}`);
  if (rows.isLoaded && rows.isOutdated) parts.push(host.localize(texts.loading));
  return line(span(parts.join(` ${host.glyphs.separator} `), isOpen ? 'plain' : 'current'));
}

function tagText(tag: string | undefined, host: Host): string {
  if (tag === undefined) return host.localize(texts.anyTag);
  return tag === '' ? host.localize(texts.noTag) : tag;
}

const texts = {
  by: { en: 'by {order}', zh: '按{order}' },
  byAmongLoaded: { en: 'these by {order}', zh: '已加载部分按{order}' },
  anyTag: { en: 'any', zh: '不限' },
  noTag: { en: 'none', zh: '无' },
  some: { en: '{shown} of {total}', zh: '{shown}/{total}' },
  selected: { en: '{count} selected', zh: '已选 {count} 项' },
  loading: { en: 'loading', zh: '加载中' },
} as const;
