/**
 * Calls of task platforms (docs/rules/tasks.md): what a platform's routes declare, and what they
 * are given.
 */

import type { TaskSubmission } from '../canonical/task-provider.ts';
import type { JsonObject, JsonValue } from '../kernel/json.ts';
import type { Secret } from '../kernel/secret.ts';
import type { VideoMeasure } from '../pricing/second-prices.ts';
import type { NewMidjourney } from '../storage/storage.ts';
import type { TaskEngine } from '../tasks/task-engine.ts';
import type { TaskRecord } from '../tasks/task-record.ts';
import type { Upstream } from '../upstream/send.ts';
import type { TaskPlatform } from '../vocabulary/task-types.ts';
import type { CallerContext, RelayContext } from './context.ts';
import type { FinalError } from './failure.ts';
import type { ApiFamily } from './formats/families/api-family.ts';

/** Where a task is kept, and what of it is known before it is submitted. */
export type TaskPlace =
  /** `input`: what the caller ordered, as lists show it. */
  | { readonly table: 'tasks'; readonly input: JsonValue }
  | {
      readonly table: 'midjourneys';
      readonly row: Pick<
        NewMidjourney,
        'prompt' | 'promptEn' | 'description' | 'state' | 'properties'
      >;
      /**
       * The row, in status MODAL, whose window this order submits: it is charged to that row.
       * Absent: a new row.
       */
      readonly windowOf?: number;
    };

/** A continuation goes to the channel that did the work before it. */
export interface TaskPin {
  readonly channelId: number;
  /** The key that submitted it; used while the channel has it. */
  readonly key?: Secret;
}

/** What a task is ordered with. `Order` is what the platform's provider submits. */
export interface TaskOrder<Order = unknown> {
  readonly platform: TaskPlatform;
  /** Column `action`. */
  readonly action: string;
  /** What it is priced, routed and limited by: `suno_music`. */
  readonly model: string;
  readonly order: Order;
  readonly place: TaskPlace;
  /** The texts in which sensitive words are searched. */
  readonly texts: readonly string[];
  /**
   * What happens where the model has no price: 0.1 currency units are charged (`default`), or that
   * only where the site or the user accepts models without a price (`refuse`).
   */
  readonly unpriced: 'default' | 'refuse';
  /** A video, by which the price is one per second where the model has such a price. */
  readonly video?: VideoMeasure;
  readonly pin?: TaskPin;
  /** Tried on one channel only. */
  readonly once?: true;
  /**
   * Decides what an accepted task costs. `free`: nothing. `duplicate`: nothing either, and it gets
   * no row, because it is a task that the caller has already. Absent: it is charged.
   */
  readonly judge?: (
    submission: TaskSubmission,
    channelId: number,
  ) => Promise<'charged' | 'free' | 'duplicate'>;
}

/** How a submit ended; the money is settled. */
export type SubmittedTask =
  /** `record`: its row; undefined for a duplicate. */
  | {
      readonly kind: 'accepted';
      readonly submission: TaskSubmission;
      readonly record: TaskRecord | undefined;
    }
  /** `reply`: the upstream's own, where it has one (canonical/kit/task-refusal.ts). */
  | {
      readonly kind: 'refused';
      readonly error: FinalError;
      readonly reply: JsonObject | undefined;
    };

/**
 * Checks, prices, holds, submits and settles (docs/rules/tasks.md#submit). Throws AppError before
 * anything is sent: what is wrong with the order, `model_price_error`, what the ledger throws.
 */
export type SubmitTask = (context: CallerContext, order: TaskOrder) => Promise<SubmittedTask>;

/** What serving a call is given. */
export interface TaskCallDeps {
  readonly submit: SubmitTask;
  readonly engine: TaskEngine;
  /** For addresses that upstreams name: connections under the rules for outgoing requests. */
  readonly files: Upstream;
}

/** What serving a call is given that anyone may make. */
export type OpenCallDeps = Omit<TaskCallDeps, 'submit'>;

interface Declared {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Of the path without query; its named groups become `route.params`. */
  readonly pattern: RegExp;
}

/** A call of a platform's API, declared in relay/tasks/<platform>. */
export interface CallerTaskCall extends Declared {
  /** `submit` counts against the user's limit, and its refusals are counted; `read` is free. */
  readonly kind: 'submit' | 'read';
  /**
   * Who may call: holders of tokens, or signed-in users of the console. Absent: holders of tokens.
   */
  readonly login?: 'console';
  serve(context: CallerContext, deps: TaskCallDeps): Promise<void>;
}

/** A call that anyone may make: images, notifications. */
export interface OpenTaskCall extends Declared {
  readonly kind: 'open';
  serve(context: RelayContext, deps: OpenCallDeps): Promise<void>;
}

/** The calls of a platform. */
export interface TaskRoutes {
  /**
   * Paths that are the platform's: what none of its calls matches there is an unknown URL. Absent:
   * its paths are in /v1.
   */
  readonly prefix?: RegExp;
  /** Whose error bodies callers read. */
  readonly family: ApiFamily;
  readonly calls: readonly (CallerTaskCall | OpenTaskCall)[];
}
