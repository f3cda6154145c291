/** The fields of a channel's `setting` that all channel types share. */
import { allowing, guardedFieldNames, guardedFields } from '../../vocabulary/guarded-fields.ts';
import { type HeaderOverride, readHeaderOverride } from './header-override.ts';
import { invalidRule, RuleReader, readOr, readRules } from './rule-reader.ts';

export interface ChannelSetting {
  /** `http:`, `https:` or `socks5:` URL. */
  readonly proxy: string | undefined;
  /** Request bodies are forwarded unchanged. */
  readonly passThrough: boolean;
  readonly thinkingToContent: boolean;
  /** Whether usage of zero is believed; undefined: the vendor decides. */
  readonly believesZeroUsage: boolean | undefined;
  /** Tools that the vendor cannot run are left out, instead of the request being refused. */
  readonly leavesOutTools: boolean;
  /** The channel has one customer, who is to know its vendor's limits. */
  readonly forwardsLimits: boolean;
  /** A reply of another model than the one that was requested switches the channel off. */
  readonly stopsOnOtherModel: boolean;
  /** Vendors get a hash of the user. */
  readonly sendsUserHash: boolean;
  readonly systemPrompt: string;
  /**
   * The system prompt is prepended to the caller's, instead of being used only when the caller has
   * none.
   */
  readonly systemPromptOverride: boolean;
  readonly headers: HeaderOverride | undefined;
  /**
   * Top-level fields that are removed, and members of such (`stream_options.include_obfuscation`).
   */
  readonly strips: readonly string[];
}

/** Runs `read`, and either throws on invalid input or returns `otherwise`. */
type Attempt = <T>(read: () => T, otherwise: T) => T;

const strict: Attempt = (read) => read();

function readProxy(rule: RuleReader): string | undefined {
  const text = rule.text('proxy').trim();
  if (text === '') return undefined;
  if (!/^(https?|socks5h?):\/\//i.test(text) || !URL.canParse(text))
    throw invalidRule(rule.at('proxy'), 'rule.proxy');
  // The proxy resolves names in any case, so `socks5h` is the same as `socks5`. Schemes are
  // compared in lower case.
  return text.replace(/^[a-z0-9]+/i, (scheme) => scheme.toLowerCase().replace('socks5h', 'socks5'));
}

function readParts(rule: RuleReader, attempt: Attempt): ChannelSetting {
  const flag = (name: string) => attempt(() => rule.flag(name), false);
  const strips: string[] = guardedFieldNames
    .filter((name) => !flag(allowing(name)))
    .flatMap((name) => guardedFields[name]);
  if (flag('disable_store')) strips.push('store');
  return {
    proxy: attempt(() => readProxy(rule), undefined),
    passThrough: flag('pass_through_body_enabled'),
    thinkingToContent: flag('thinking_to_content'),
    believesZeroUsage: rule.has('believe_zero_usage')
      ? attempt<boolean | undefined>(() => rule.flag('believe_zero_usage'), undefined)
      : undefined,
    leavesOutTools: flag('leave_out_tools'),
    forwardsLimits: flag('forward_rate_limits'),
    stopsOnOtherModel: flag('stop_on_other_model'),
    sendsUserHash: flag('send_user_hash'),
    systemPrompt: attempt(() => rule.text('system_prompt'), ''),
    systemPromptOverride: flag('system_prompt_override'),
    headers: attempt(
      () => readHeaderOverride(rule.value('header_override'), rule.at('header_override')),
      undefined,
    ),
    strips,
  };
}

function readerOf(text: string): RuleReader {
  return new RuleReader(readRules(text, 'setting'), 'setting');
}

/**
 * Unknown keys belong to the channel's type and are not checked. Throws AppError
 * json_object_required, channel_rule_invalid.
 */
export function checkChannelSetting(text: string): void {
  const rule = readerOf(text);
  rule.flag('force_format');
  readParts(rule, strict);
}

/** Reads a stored setting. Invalid fields, which an import may contain, count as absent. */
export function readChannelSetting(text: string): ChannelSetting {
  return readParts(
    readOr(() => readerOf(text), new RuleReader({}, 'setting')),
    readOr,
  );
}
