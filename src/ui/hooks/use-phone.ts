import { useMediaQuery } from '@mantine/hooks';

/** Up to 600 px it is a phone (docs/rules/console.md#shell). */
export function usePhone(): boolean {
  return (
    useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false }) ?? false
  );
}

/** So narrow that the words of a row's actions would cover the columns beside them. */
export function useTablet(): boolean {
  return (
    useMediaQuery('(max-width: 900px)', undefined, { getInitialValueInEffect: false }) ?? false
  );
}

/** Between phone and desktop the sidebar starts collapsed, so that tables keep their width. */
export function useNarrow(): boolean {
  return (
    useMediaQuery('(max-width: 1100px)', undefined, { getInitialValueInEffect: false }) ?? false
  );
}
