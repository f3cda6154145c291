import { useState } from 'react';
import { readStored, storageKeys, writeStored } from '../browser/local-storage.ts';

/** docs/rules/console.md#pager */
export const pageSizes: readonly number[] = [10, 20, 50, 100];
/** Pixels of a window that holds twenty rows and what stands around them. */
const roomForTwenty = 1200;
const defaultSize = () => (window.innerHeight >= roomForTwenty ? 20 : 10);

/** Rows per page, one choice for all lists, remembered under `page-size`. */
export function usePageSize(): readonly [number, (size: number) => void] {
  const [size, setSize] = useState(() => {
    const stored = Number(readStored(storageKeys.pageSize));
    return pageSizes.includes(stored) ? stored : defaultSize();
  });
  return [
    size,
    (next) => {
      writeStored(storageKeys.pageSize, String(next));
      setSize(next);
    },
  ];
}
