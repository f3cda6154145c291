/**
 * Keeps what is known of the health of channels over a restart
 * (docs/rules/routing.md#stored-health). Never on the request path.
 */
import type { Topic } from '../../cluster/cluster.ts';
import type { ChannelHealthRepository, StoredChannelHealth } from '../../storage/storage.ts';
import type { Health } from './health.ts';
import type { HealthCondition, HealthEvent } from './health-events.ts';

export interface StoredHealth {
  /** Applies what was stored and has not expired. */
  restore(): Promise<void>;
  /** Writes the present state if it changed since it was last written. */
  save(): Promise<void>;
}

export interface StoredHealthDeps {
  readonly health: Pick<Health, 'conditions' | 'restore'>;
  readonly topic: Topic<HealthEvent>;
  readonly repository: ChannelHealthRepository;
}

/**
 * Callers may name any model of a pinned channel. Longer names are not stored: they are no model's,
 * and no index takes them.
 */
const longestModel = 256;

export function createStoredHealth({ health, topic, repository }: StoredHealthDeps): StoredHealth {
  let changed = false;
  topic.subscribe(() => {
    changed = true;
  });
  return {
    restore: async () => health.restore((await repository.list()).map(conditionOf)),
    save: async () => {
      if (!changed) return;
      changed = false;
      try {
        await repository.replace(
          health
            .conditions()
            .map(rowOf)
            .filter(({ model }) => model.length <= longestModel),
        );
      } catch (error) {
        changed = true;
        throw error;
      }
    },
  };
}

function rowOf(condition: HealthCondition): StoredChannelHealth {
  if (condition.kind === 'circuit_opened') {
    const { healthKey, openedAt: since, readyAt: until, pause, cause } = condition;
    return { healthKey, kind: 'circuit', model: '', since, until, pause, requested: false, cause };
  }
  const { healthKey, model, until, requested } = condition;
  return { healthKey, kind: 'cool_down', model, since: 0, until, pause: 0, requested, cause: '' };
}

function conditionOf({
  kind,
  healthKey,
  model,
  since,
  until,
  pause,
  requested,
  cause,
}: StoredChannelHealth): HealthCondition {
  return kind === 'circuit'
    ? { kind: 'circuit_opened', healthKey, openedAt: since, readyAt: until, pause, cause }
    : { kind: 'cool_down_started', healthKey, model, until, requested };
}
