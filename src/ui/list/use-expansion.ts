/**
 * Which rows are open: in the URL, so that an open row can be linked
 * (docs/rules/console.md#expansion).
 */
import { useCallback, useMemo } from 'react';
import { useUrlParameter } from '../hooks/use-url-state.ts';
import { type List, openParameter } from './use-list.ts';

const joint = ',';

/** `addressOf` names a row in the URL. Only one row is open, unless a row is opened with `keep`. */
export function useExpansion<Row, Name extends string>(
  list: List<Row, Name>,
  addressOf: (row: Row) => string,
) {
  const [text, write] = useUrlParameter(openParameter);
  const { rows, keyOf } = list;
  const addresses = useMemo(() => text.split(joint).filter((address) => address !== ''), [text]);
  const open = useMemo(
    () => (rows ?? []).filter((row) => addresses.includes(addressOf(row))).map(keyOf),
    [rows, addresses, addressOf, keyOf],
  );
  const toggle = useCallback(
    (row: Row, keep: boolean) => {
      const address = addressOf(row);
      const others = addresses.filter((other) => other !== address);
      const next =
        others.length < addresses.length ? others : keep ? [...others, address] : [address];
      // Opening rows is reading, not going somewhere: Back leaves the list.
      write(next.join(joint), { replace: true });
    },
    [addresses, addressOf, write],
  );
  return { open, toggle, addresses };
}
