/** One page of a list. `page` counts from 1. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}

/** What a repository needs to cut a page out of a list. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

export const defaultPageSize = 10;
export const maxPageSize = 100;
