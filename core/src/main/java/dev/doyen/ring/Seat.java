package dev.doyen.ring;

/**
 * A member's place in the view it has installed.
 *
 * @param before whom it hears, itself if it is alone
 * @param after whom it tells, itself if it is alone
 */
record Seat(View view, RingMember before, RingMember after) {

    static Seat of(RingMember me, View view) {
        return new Seat(view, view.before(me), view.after(me));
    }

    boolean isAlone(RingMember me) {
        return after.equals(me);
    }
}
