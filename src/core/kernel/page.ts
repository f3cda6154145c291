/** One page of a list. `page` counts from 1. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
}

/** Offset and limit, as repositories take them. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

export const defaultPageSize = 10;
export const maxPageSize = 100;
