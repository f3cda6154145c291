/**
 * Provider logos: colour version; black ones follow the ink; unknown: first letter in a box
 * (docs/rules/console.md#provider-logos).
 */
import classes from './provider-logo.module.css';
import { type LogoFile, logoFiles } from './provider-logo-files.ts';
import { logoOfModel, logoOfType } from './provider-logo-names.ts';

interface LogoProps {
  /** 16 in text, 20 in rows, 22 in a 38 box. */
  readonly size?: number;
  readonly grey?: boolean;
}

function Logo({
  file,
  letter,
  size = 20,
  grey = false,
}: LogoProps & { file: LogoFile | undefined; letter: string }) {
  const box = { width: size, height: size };
  if (file === undefined) {
    return (
      <span
        className={classes.letter}
        style={{ ...box, fontSize: Math.round(size * 0.55) }}
        aria-hidden="true"
      >
        {letter.slice(0, 1).toUpperCase()}
      </span>
    );
  }
  if (file.ink) {
    return (
      <span
        className={classes.ink}
        data-grey={grey || undefined}
        style={{ ...box, maskImage: `url("${file.url}")`, WebkitMaskImage: `url("${file.url}")` }}
        aria-hidden="true"
      />
    );
  }
  return (
    <img
      className={classes.colour}
      data-grey={grey || undefined}
      src={file.url}
      alt=""
      style={box}
    />
  );
}

/** The logo of a channel type; `name` supplies the letter when there is none. */
export function TypeLogo({ type, name, ...rest }: LogoProps & { type: number; name: string }) {
  const key = logoOfType(type);
  return <Logo {...rest} file={key === undefined ? undefined : logoFiles[key]} letter={name} />;
}

/** The logo of the maker of a model. */
export function ModelLogo({
  model,
  vendor,
  ...rest
}: LogoProps & { model: string; vendor?: string }) {
  const key = logoOfModel(model, vendor);
  return (
    <Logo {...rest} file={key === undefined ? undefined : logoFiles[key]} letter={model || '·'} />
  );
}

/** A row's logo in its own box: drawers and cards. */
export function BoxedTypeLogo(props: LogoProps & { type: number; name: string }) {
  return (
    <span className={classes.box}>
      <TypeLogo size={22} {...props} />
    </span>
  );
}
