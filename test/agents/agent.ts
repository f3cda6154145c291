/**
 * Definition of an agent: its package, how to point it at a gateway, run a single prompt without a
 * terminal, and prevent other network access.
 */
import type { ReceivedRequest } from '../support/upstream.ts';
import type { ToolCall } from './script.ts';
import type { WireName } from './wire.ts';

/** Tokens as an agent reports them to its user, summed over a conversation. */
export interface ReportedTokens {
  /** Including cached tokens. */
  readonly prompt: number;
  readonly cached: number;
  /** Including reasoning. */
  readonly output: number;
}

/** How a conversation is held, and over which channels. */
export interface Form {
  readonly streamed: boolean;
  readonly channels: 'one' | 'two' | 'two keys';
}

export interface Agent {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** Install script of the package that provides its binary. */
  readonly prepare?: string;
  readonly wire: WireName | 'cohere';
  /** Absent: streamed, over one channel. */
  readonly forms?: readonly Form[];
  /**
   * It is a library: the program in `clients/drivers` that uses it, and all packages which that
   * needs.
   */
  readonly driver?: { readonly file: string; readonly packages: Readonly<Record<string, string>> };
  /** What the setting of its channels has besides that of their wire. */
  readonly setting?: object;
  /** Models to test: those for which it sends different requests. */
  readonly models: readonly string[];
  /** A tool that it only offers for models it knows, by model. */
  readonly offers?: Readonly<Record<string, string>>;
  /** Files of its home folder. */
  files(target: Target): Readonly<Record<string, string>>;
  environment(target: Target): Readonly<Record<string, string>>;
  args(target: Target, prompt: string): readonly string[];
  /** The tool call with which it prints a file; `tools` are the names received by the upstream. */
  read(file: string, tools: readonly string[]): ToolCall;
  /** Faults in what reached an upstream of its own wire format. */
  checkForwarded?(request: ReceivedRequest): readonly string[];
  /** Faults in its requests, given as method and path. */
  checkTraffic?(lines: readonly string[]): readonly string[];
  /** It refers to what the upstream stores, and does not send thinking back. */
  readonly refers?: boolean;
  /** Counts that it adds up wrongly itself, whatever it is sent. */
  readonly misreports?: (streamed: boolean) => readonly (keyof ReportedTokens)[];
  /** Its final text and the tokens it reports. Throws if the output has an unexpected format. */
  report(stdout: string): { readonly text: string; readonly shown: ReportedTokens };
}

/** The gateway and model an agent uses. */
export interface Target {
  readonly url: string;
  readonly key: string;
  readonly model: string;
  readonly streamed: boolean;
}
