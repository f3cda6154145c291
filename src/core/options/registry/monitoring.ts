import { lossStops } from '../../vocabulary/loss-kinds.ts';
import {
  addressOption,
  booleanOption,
  choiceOption,
  decimalOption,
  integerOption,
  listOption,
  secretOption,
} from '../define.ts';

const monitoring = { panel: 'operation.monitoring' } as const;
const retention = { panel: 'operation.log', bounds: { min: 0, max: 36_500 } } as const;
const ledger = { panel: 'operation.ledger' } as const;
const dashboard = { panel: 'operation.dashboard' } as const;

/** Health of channels, logs and statistics (docs/rules/routing.md#auto-disable). */
export const monitoringOptions = {
  /** Further attempts on other channels (docs/rules/routing.md#retry-loop). */
  RetryTimes: integerOption({
    panel: 'operation.general',
    default: 2,
    bounds: { min: 0, max: 10 },
  }),
  /** Seconds a channel test may take; 0: no limit. */
  ChannelDisableThreshold: decimalOption({ ...monitoring, default: 5, bounds: { min: 0 } }),
  AutomaticDisableChannelEnabled: booleanOption({ ...monitoring, default: false }),
  AutomaticEnableChannelEnabled: booleanOption({ ...monitoring, default: false }),
  /** Used when CHANNEL_TEST_FREQUENCY is not set. */
  'monitor_setting.auto_test_channel_enabled': booleanOption({ ...monitoring, default: false }),
  'monitor_setting.auto_test_channel_minutes': integerOption({
    ...monitoring,
    default: 10,
    bounds: { min: 1 },
  }),
  /** Error texts of upstreams for exhausted, closed or blocked accounts; compared in lower case. */
  AutomaticDisableKeywords: listOption({
    ...monitoring,
    separator: '\n',
    lowerCase: true,
    default: [
      'your credit balance is too low',
      'this organization has been disabled.',
      'you exceeded your current quota',
      'permission denied',
      'the security token included in the request is invalid',
      'operation not allowed',
      'your account is not authorized',
    ],
  }),

  /** Days that a balance at an upstream must last, else root is notified (docs/rules/losses.md). */
  'losses.balance_days': integerOption({
    ...monitoring,
    default: 3,
    bounds: { min: 0, max: 90 },
  }),
  /** What is stopped where the margin of 24 hours is below the next option. */
  'losses.stop': choiceOption({ ...monitoring, default: 'none', choices: lossStops }),
  /** Percent of what was earned. */
  'losses.stop_margin': decimalOption({
    ...monitoring,
    default: 0,
    bounds: { min: -1000, max: 99 },
  }),

  /** Where the newest link of the ledger is sent once an hour (docs/rules/ledger.md#seals). */
  'ledger.seal_url': addressOption({ ...ledger, default: '', strip: false }),
  'ledger.seal_secret': secretOption(ledger),

  LogConsumeEnabled: booleanOption({ panel: 'operation.log', default: true }),
  /** The vendor's own usage with each row (docs/rules/usage-logs.md#reported-usage). */
  LogReportedUsage: booleanOption({ panel: 'operation.log', default: false }),
  /** Rows about failed requests (docs/rules/usage-logs.md#error-rows). */
  ErrorLogEnabled: booleanOption({ panel: 'operation.log', default: true }),
  /** Days that rows are kept; 0: for ever (docs/rules/maintenance.md#retention). */
  AuditLogDays: integerOption({ ...retention, default: 365 }),
  UsageLogDays: integerOption({ ...retention, default: 0 }),
  ErrorLogDays: integerOption({ ...retention, default: 0 }),
  TaskLogDays: integerOption({ ...retention, default: 0 }),
  /** Whether they are written to files before they are deleted. */
  ArchiveOldRows: booleanOption({ panel: 'operation.log', default: true }),
  DataExportEnabled: booleanOption({ ...dashboard, default: true, status: 'enable_data_export' }),
  /** Minutes after which an open dashboard asks again; figures are kept as requests settle. */
  DataExportInterval: integerOption({
    ...dashboard,
    default: 5,
    bounds: { min: 1 },
    status: 'data_export_interval',
  }),
  DataExportDefaultTime: choiceOption({
    ...dashboard,
    default: 'hour',
    choices: ['hour', 'day', 'week'],
    status: 'data_export_default_time',
  }),
};
