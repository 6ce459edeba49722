package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;

/**
 * The ring position of a member in the installed view.
 *
 * @param before the predecessor; the member itself if the view has no other member
 * @param after the next member; the member itself if the view has no other member
 */
record RingPosition(View view, Member before, Member after) {

    static RingPosition of(Member me, View view) {
        return new RingPosition(view, view.before(me), view.after(me));
    }

    boolean isAlone(Member me) {
        return after.equals(me);
    }
}
