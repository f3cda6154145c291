/** The part of a channel's `setting` that every type knows (spec, console-api 6.1; relay 12). */
import { allowing, guardedFieldNames, guardedFields } from '../../vocabulary/guarded-fields.ts';
import { type HeaderOverride, readHeaderOverride } from './header-override.ts';
import { invalidRule, RuleReader, readOr, readRules } from './rule-reader.ts';

export interface ChannelSetting {
  /** `http:`, `https:` or `socks5:` URL. */
  readonly proxy: string | undefined;
  /** Bodies go on as they came. */
  readonly passThrough: boolean;
  readonly thinkingToContent: boolean;
  readonly systemPrompt: string;
  /** The prompt goes in front of the caller's own instead of only standing in for a missing one. */
  readonly systemPromptOverride: boolean;
  readonly headers: HeaderOverride | undefined;
  /** Top-level fields that are taken out. */
  readonly strips: readonly string[];
  /** `stream_options.include_obfuscation` is taken out. */
  readonly stripsObfuscation: boolean;
}

/** Reads a part, or answers for one that cannot be read. */
type Attempt = <T>(read: () => T, otherwise: T) => T;

const strict: Attempt = (read) => read();

function readProxy(rule: RuleReader): string | undefined {
  const text = rule.text('proxy').trim();
  if (text === '') return undefined;
  if (!/^(https?|socks5h?):\/\//i.test(text) || !URL.canParse(text)) throw invalidRule(rule.at('proxy'), 'rule.proxy');
  // The name is resolved by the proxy in any case; schemes are told apart in lower case.
  return text.replace(/^[a-z0-9]+/i, (scheme) => scheme.toLowerCase().replace('socks5h', 'socks5'));
}

function readParts(rule: RuleReader, attempt: Attempt): ChannelSetting {
  const flag = (name: string) => attempt(() => rule.flag(name), false);
  const strips: string[] = guardedFieldNames.filter((name) => !flag(allowing(name))).flatMap((name) => guardedFields[name]);
  if (flag('disable_store')) strips.push('store');
  return {
    proxy: attempt(() => readProxy(rule), undefined),
    passThrough: flag('pass_through_body_enabled'),
    thinkingToContent: flag('thinking_to_content'),
    systemPrompt: attempt(() => rule.text('system_prompt'), ''),
    systemPromptOverride: flag('system_prompt_override'),
    headers: attempt(() => readHeaderOverride(rule.value('header_override'), rule.at('header_override')), undefined),
    strips,
    stripsObfuscation: !flag(allowing('include_obfuscation')),
  };
}

function readerOf(text: string): RuleReader {
  return new RuleReader(readRules(text, 'setting'), 'setting');
}

/** Keys it does not know belong to the channel's type. Throws AppError json_object_required, channel_rule_invalid. */
export function checkChannelSetting(text: string): void {
  const rule = readerOf(text);
  rule.flag('force_format');
  readParts(rule, strict);
}

/** For stored settings, which an import may have brought: a part that cannot be read counts as absent. */
export function readChannelSetting(text: string): ChannelSetting {
  return readParts(
    readOr(() => readerOf(text), new RuleReader({}, 'setting')),
    readOr,
  );
}
