/** Personal settings: who one is and one's figures on top; what one can use left; what one earns right. */
import { LoadingRows } from '../../components/states.tsx';
import { useSelf } from '../../queries/use-self.ts';
import { AvailableModels } from './available-models.tsx';
import { InviteCard } from './invite-card.tsx';
import classes from './profile.module.css';
import { ProfileCard } from './profile-card.tsx';

export function PersonalScreen() {
  const { data: self } = useSelf();
  return (
    <div className={classes.page}>
      {self === undefined ? <LoadingRows rows={2} height={48} /> : <ProfileCard self={self} />}
      <div className={classes.columns}>
        <div className={classes.main}>
          <AvailableModels />
        </div>
        <aside className={classes.side}>{self !== undefined && <InviteCard self={self} />}</aside>
      </div>
    </div>
  );
}
