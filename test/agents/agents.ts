import type { Agent } from './agent.ts';
import { claudeCode } from './claude-code.ts';
import { clients } from './clients/clients.ts';
import { codex, codexSocket } from './codex.ts';
import { geminiCli } from './gemini-cli.ts';
import { opencode } from './opencode.ts';

export const agents: readonly Agent[] = [
  claudeCode,
  codex,
  codexSocket,
  geminiCli,
  opencode,
  ...clients,
];
