package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;

/**
 * The ring position of a member in the installed view.
 *
 * @param before the predecessor; the member itself if it is alone
 * @param after the next member; the member itself if it is alone
 */
record Seat(View view, Member before, Member after) {

    static Seat of(Member me, View view) {
        return new Seat(view, view.before(me), view.after(me));
    }

    boolean isAlone(Member me) {
        return after.equals(me);
    }
}
