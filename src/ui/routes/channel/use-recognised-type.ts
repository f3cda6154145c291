/** A new channel takes the type that its key or address names, until the reader chooses one. */
import { useEffect, useState } from 'react';
import { channelTypeInfo } from '../../../core/vocabulary/channel-types.ts';
import { recogniseType } from '../../components/recognise-type.ts';
import type { EntityForm } from '../../form/use-entity-form.ts';
import { type ChannelTypeFacts, typeName } from '../../queries/use-channel-types.ts';
import type { ChannelValues } from './channel-form.ts';

export function useRecognisedType(
  { creating, values, set }: Pick<EntityForm<ChannelValues>, 'creating' | 'values' | 'set'>,
  types: readonly ChannelTypeFacts[] | undefined,
) {
  const [chosen, setChosen] = useState(false);
  const { key, base_url, type, name } = values;
  const offered = types?.filter((entry) => channelTypeInfo(entry.type) !== undefined);
  const found = creating && offered ? recogniseType(offered, { key, base_url }) : undefined;
  /** The name, too, while there is none or that of a type. */
  const take = (next: number) => {
    set('type', next);
    if (name.trim() === '' || name === typeName(type)) set('name', typeName(next));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each vendor that is found
  useEffect(() => {
    if (found !== undefined && !chosen) take(found);
  }, [found]);
  return {
    choose: (next: number) => {
      setChosen(true);
      if (creating && name !== '') take(next);
      else set('type', next);
    },
    /** It was recognised and is not the type of the form. */
    other: found !== type ? found : undefined,
    take,
  };
}
