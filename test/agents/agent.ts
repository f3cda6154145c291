/**
 * What there is to know of an agent: where it comes from, how it is pointed at a gateway, asked one thing without a
 * terminal, and kept from talking to anybody else (spec, agent-clients).
 */
import type { ToolCall } from './script.ts';
import type { WireName } from './wire.ts';

/** Tokens as an agent shows them to its user, summed over a conversation. */
export interface Shown {
  /** Caches included. */
  readonly prompt: number;
  readonly cached: number;
  /** Reasoning included. */
  readonly output: number;
}

export interface Agent {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  /** A script in the package that puts its binary in place. */
  readonly prepare?: string;
  readonly wire: WireName;
  /** Models to ask for: those for which it writes different requests. */
  readonly models: readonly string[];
  /** A tool that it offers only for models it knows enough of, by model. */
  readonly offers?: Readonly<Record<string, string>>;
  /** Files of its home folder. */
  files(target: Target): Readonly<Record<string, string>>;
  environment(target: Target): Readonly<Record<string, string>>;
  args(target: Target, prompt: string): readonly string[];
  /** Its way to print a file; `tools` are the names as they reached the upstream. */
  read(file: string, tools: readonly string[]): ToolCall;
  /** What is wrong with the requests it made, each as method and path. */
  checkTraffic?(lines: readonly string[]): readonly string[];
  /** What it said at last and what it thinks that cost. Throws where the output is not what it should be. */
  report(stdout: string): { readonly text: string; readonly shown: Shown };
}

/** What an agent works against. */
export interface Target {
  readonly url: string;
  readonly key: string;
  readonly model: string;
}
