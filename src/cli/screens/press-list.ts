import type { List } from '../kit/list.ts';
import type { Action } from './keys.ts';

/** Cursor movement, the same for every list. */
export function pressList<Row>(list: List<Row>, action: Action): void {
  if (action === 'up') list.move(-1);
  else if (action === 'down') list.move(1);
  else if (action === 'pageUp') list.movePage(-1);
  else if (action === 'pageDown') list.movePage(1);
  else if (action === 'top') list.toTop();
  else if (action === 'end') list.toEnd();
}
