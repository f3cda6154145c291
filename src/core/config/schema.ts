/**
 * The process configuration: settings of the machine, not of the site
 * (docs/rules/process.md#configuration-order). Each row declares the flag, the environment
 * variables and the default of one setting; {@link loadConfig} reads them.
 */
import { accessSettings } from './access-settings.ts';
import { keepingSettings } from './keeping-settings.ts';
import { processSettings } from './process-settings.ts';
import { relaySettings } from './relay-settings.ts';
import { serviceSettings } from './service-settings.ts';
import type { Setting } from './setting.ts';

/** Environment variable of a setting: `dataDir` → `TURNPIKE_DATA_DIR`. */
export function environmentVariableOf(key: string): string {
  return `TURNPIKE_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

export const settings = {
  ...processSettings,
  ...keepingSettings,
  ...accessSettings,
  ...relaySettings,
  ...serviceSettings,
} as const;

export type SettingKey = keyof typeof settings;
export type Config = {
  readonly [K in SettingKey]: (typeof settings)[K] extends Setting<infer T> ? T : never;
};

/** Every variable that is a setting. */
export const variableNames: ReadonlySet<string> = new Set(
  Object.entries<Setting<unknown>>(settings).flatMap(([key, { names }]) => [
    environmentVariableOf(key),
    ...names,
  ]),
);
