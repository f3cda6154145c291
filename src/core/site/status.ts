import { type OptionValues, type ServerStatus, serverStatus } from '../options/index.ts';
import type { OptionStore } from './option-store.ts';

export interface StatusDeps {
  readonly options: Pick<OptionStore, 'values'>;
  readonly version: string;
  /** When the process started, in Unix seconds. */
  readonly startTime: number;
  readonly isSetUp: () => boolean;
  readonly port: () => number;
}

/**
 * The object of GET /api/status (docs/rules/options.md#server-status), rebuilt only when something
 * in it has changed.
 */
export function createStatus(deps: StatusDeps): () => ServerStatus {
  let cached:
    | { options: OptionValues; isSetUp: boolean; port: number; status: ServerStatus }
    | undefined;
  return () => {
    const options = deps.options.values();
    const isSetUp = deps.isSetUp();
    const port = deps.port();
    if (cached?.options !== options || cached.isSetUp !== isSetUp || cached.port !== port) {
      const status = serverStatus(options, {
        version: deps.version,
        startTime: deps.startTime,
        isSetUp,
        port,
      });
      cached = { options, isSetUp, port, status };
    }
    return cached.status;
  };
}
