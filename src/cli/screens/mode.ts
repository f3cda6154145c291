import type { Text } from '../base/text.ts';
import type { TextInput } from '../kit/text-input.ts';
import type { LineScroll } from './line-scroll.ts';

/** What the keys do: actions of the view, or what the hint line asks for. */
export type Mode =
  | { readonly kind: 'keys' }
  | { readonly kind: 'help'; readonly scroll: LineScroll }
  | Typing
  | {
      readonly kind: 'question';
      readonly question: Text;
      readonly name: string;
      readonly onConfirm: () => Promise<void>;
      readonly onDecline?: () => void;
    };

/** A line being typed in the hint line, after a label in which `{name}` is replaced. */
export interface Typing {
  readonly kind: 'typing';
  readonly label: Text;
  readonly name: string;
  readonly input: TextInput;
  /** Asterisks are shown in place of the text. */
  readonly isSecret?: boolean;
  readonly onChange?: (text: string) => void;
  readonly onEnter?: (text: string) => void | Promise<void>;
  readonly onCancel?: () => void;
  /** What the text could be completed to, shown beside it; Tab takes the first. */
  readonly suggest?: (text: string) => readonly string[];
}
