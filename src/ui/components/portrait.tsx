import { ShownFile } from './shown-file.tsx';

interface PortraitProps {
  /** As its user wrote it; '': none. */
  readonly address: string;
  readonly name: string;
  readonly className: string | undefined;
}

/** The reader's own portrait, or the first letter of the name. */
export function Portrait({ address, name, className }: PortraitProps) {
  const letter = (
    <span className={className} data-letter={[...name][0]?.toUpperCase()} aria-hidden="true" />
  );
  return (
    <ShownFile address={address} kind="image" loadsAtOnce waiting={letter} fallback={letter}>
      {(src, onBroken) => <img className={className} src={src} alt="" onError={onBroken} />}
    </ShownFile>
  );
}
