import { vendorOptions } from '../providers/options.ts';
import type { OptionDefinition } from './define.ts';
import { contentOptions } from './registry/content.ts';
import { drawingOptions } from './registry/drawing.ts';
import { emailOptions } from './registry/email.ts';
import { limitOptions } from './registry/limits.ts';
import { loginOptions } from './registry/login.ts';
import { modelOptions } from './registry/models.ts';
import { monitoringOptions } from './registry/monitoring.ts';
import { paymentOptions } from './registry/payment.ts';
import { pricingOptions } from './registry/pricing.ts';
import { quotaOptions } from './registry/quota.ts';
import { sensitiveOptions } from './registry/sensitive.ts';
import { systemOptions } from './registry/system.ts';

/** All options (docs/rules/options.md#one-declaration). */
export const optionRegistry = {
  ...systemOptions,
  ...quotaOptions,
  ...pricingOptions,
  ...monitoringOptions,
  ...limitOptions,
  ...modelOptions,
  ...vendorOptions,
  ...sensitiveOptions,
  ...contentOptions,
  ...loginOptions,
  ...emailOptions,
  ...paymentOptions,
  ...drawingOptions,
};

export type OptionKey = keyof typeof optionRegistry;
export type OptionValue<K extends OptionKey> =
  (typeof optionRegistry)[K] extends OptionDefinition<infer T> ? T : never;
/** All options with their effective values. */
export type OptionValues = { readonly [K in OptionKey]: OptionValue<K> };

/** In the order of the call GET /api/option/: by key. */
export const optionKeys = (Object.keys(optionRegistry) as OptionKey[]).sort((a, b) =>
  a < b ? -1 : 1,
);

/** Options that single vendors declare and read. */
export const vendorOptionKeys = Object.keys(vendorOptions) as (keyof typeof vendorOptions)[];

/**
 * The definition without its value type, for code that handles all options the same way (forms,
 * lists, documents).
 */
export function optionDefinition(key: OptionKey): OptionDefinition {
  return optionRegistry[key];
}

export function defaultOptions(): OptionValues {
  return Object.fromEntries(
    optionKeys.map((key) => [key, optionRegistry[key].default]),
  ) as unknown as OptionValues;
}
