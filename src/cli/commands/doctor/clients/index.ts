import { claudeCode } from './claude-code.ts';
import type { AgentClient } from './client-check.ts';
import { codex } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';
import { openai } from './openai.ts';

export const agentClients: Readonly<Record<string, AgentClient>> = {
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  openai,
};
export const clientNames: readonly string[] = Object.keys(agentClients);
