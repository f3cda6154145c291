import {
  addressOption,
  booleanOption,
  decimalOption,
  integerOption,
  jsonOption,
  textOption,
} from '../define.ts';
import { ed25519Key, modelAdditions } from '../rules.ts';

const global = { panel: 'models.global' } as const;
const affinity = { panel: 'models.affinity' } as const;
const sync = { panel: 'models.sync' } as const;

/**
 * How requests are sent. Options that only one vendor reads are declared by the vendor
 * (providers/options.ts).
 */
export const modelOptions = {
  'global.pass_through_request_enabled': booleanOption({ ...global, default: false }),
  /**
   * Days that the contents of responses are kept; 0: only which channel has them
   * (docs/rules/responses.md#stored).
   */
  'global.stored_responses_days': integerOption({
    ...global,
    default: 30,
    bounds: { min: 0, max: 3650 },
  }),
  /**
   * Megabytes of contents that each user may have; 0: no limit (docs/rules/responses.md#stored).
   */
  'global.stored_responses_mb': integerOption({
    ...global,
    default: 1024,
    bounds: { min: 0, max: 1_000_000 },
  }),
  /** Background responses that each user may have under way (docs/rules/responses.md#background). */
  'global.background_responses': integerOption({
    ...global,
    default: 20,
    bounds: { min: 0, max: 10_000 },
  }),
  /**
   * Minutes that thinking is remembered for clients that do not return it; 0: never
   * (docs/rules/formats.md#remembered-thinking).
   */
  'global.thinking_minutes': integerOption({
    ...global,
    default: 60,
    bounds: { min: 0, max: 10_080 },
  }),
  /** Written into quiet streams in each format's own way (docs/rules/streams.md#keep-alive). */
  'general_setting.ping_interval_enabled': booleanOption({ ...global, default: true }),
  'general_setting.ping_interval_seconds': integerOption({
    ...global,
    default: 30,
    bounds: { min: 1 },
  }),

  /**
   * Conversations keep the channel whose cache holds their prompt (docs/rules/routing.md#affinity).
   */
  'channel_affinity_setting.enabled': booleanOption({ ...affinity, default: true }),
  'channel_affinity_setting.switch_on_success': booleanOption({ ...affinity, default: true }),
  'channel_affinity_setting.max_entries': integerOption({
    ...affinity,
    default: 100_000,
    bounds: { min: 1, max: 10_000_000 },
  }),
  'channel_affinity_setting.default_ttl_seconds': integerOption({
    ...affinity,
    default: 3600,
    bounds: { min: 1 },
  }),

  /** The daily look for new models, prices and ends (docs/rules/models.md#sync). */
  'model_sync.enabled': booleanOption({ ...sync, default: false }),
  'model_sync.adopt': booleanOption({ ...sync, default: true }),
  /** Price of what is adopted over the vendor's list price. */
  'model_sync.margin': decimalOption({ ...sync, default: 1, bounds: { above: 0, max: 1000 } }),
  /** A list of models in any of the known formats; empty: none. */
  'model_sync.address': addressOption({ ...sync, default: '', strip: false }),
  /** What comes from the address must be signed with it. Empty: anything is taken. */
  'model_sync.signer': textOption({ ...sync, default: '', schema: ed25519Key }),
  /** `http:`, `https:` or `socks5:`, through which the address is read; empty: directly. */
  'model_sync.proxy': textOption({ ...sync, default: '' }),
  /** Rules and rows above those of the program (docs/rules/models.md#added-data). */
  'model_sync.learned': jsonOption({
    ...sync,
    schema: modelAdditions,
    default: { rules: [], rows: [] },
  }),
};
