/** Filters of a list as data. `name` is the parameter of the URL. */
import type { FilterOption } from './filter-bar.tsx';
import type { TimeSpans } from './time-range.ts';

interface Named<Name extends string> {
  readonly name: Name;
  readonly label: string;
}

export type ListFilter<Name extends string> =
  | (Named<Name> & {
      readonly kind: 'search';
      readonly placeholder: string;
      readonly width?: number;
      /** `/` focuses it. One per list. */
      readonly primary?: boolean;
    })
  | (Named<Name> & {
      readonly kind: 'menu';
      readonly options: readonly FilterOption[];
      /** The value that selects all; '' unless given. */
      readonly empty?: string;
      /** The chosen option stands beside the label even while it selects all. */
      readonly always?: boolean;
    })
  | (Named<Name> & {
      readonly kind: 'text';
      readonly hint: string;
      /**
       * A hook that reads what is suggested once the filter is opened; any other text can be typed
       * as well.
       */
      readonly useOptions?: () => readonly FilterOption[];
      readonly digitsOnly?: boolean;
    })
  | (Named<Name> & { readonly kind: 'switch' })
  /**
   * Uses the parameters `time`, `start` and `end`; see time-range.ts. The usage log's spans unless
   * given.
   */
  | {
      readonly kind: 'time';
      readonly name: 'time';
      readonly label: string;
      readonly spans?: TimeSpans;
    };

/** Value and parameter of a switch that is on. */
export const switchOn = '1';
