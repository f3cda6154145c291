import { booleanOption, integerOption, listOption } from '../define.ts';

const sensitive = { panel: 'operation.sensitive' } as const;

/**
 * The sensitive-word check (docs/rules/relay.md#sensitive-words). The last two options have no
 * effect in New API either.
 */
export const sensitiveOptions = {
  CheckSensitiveEnabled: booleanOption({ ...sensitive, default: true }),
  CheckSensitiveOnPromptEnabled: booleanOption({ ...sensitive, default: true }),
  SensitiveWords: listOption({ ...sensitive, default: ['test_sensitive'], separator: '\n' }),
  StopOnSensitiveEnabled: booleanOption({ ...sensitive, default: true, built: false }),
  StreamCacheQueueLength: integerOption({
    ...sensitive,
    default: 0,
    bounds: { min: 0 },
    built: false,
  }),
};
