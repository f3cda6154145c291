/**
 * `turnpike pricing …`: prices as the gateway calculates them, with the formula
 * (docs/rules/pricing.md#explanation).
 */
import type { Command } from '../../command/command.ts';
import { diffCommand } from './diff.ts';
import { explainCommand } from './explain.ts';
import { listCommand } from './list.ts';

export const pricingCommands: readonly Command[] = [listCommand, diffCommand, explainCommand];
