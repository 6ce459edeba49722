package dev.doyen.ring;

import dev.doyen.membership.Member;
import dev.doyen.membership.View;

/**
 * A member's place in the view it has installed.
 *
 * @param before whom it hears, itself if it is alone
 * @param after whom it tells, itself if it is alone
 */
record Seat(View view, Member before, Member after) {

    static Seat of(Member me, View view) {
        return new Seat(view, view.before(me), view.after(me));
    }

    boolean isAlone(Member me) {
        return after.equals(me);
    }
}
