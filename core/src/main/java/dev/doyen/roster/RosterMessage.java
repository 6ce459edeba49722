package dev.doyen.roster;

import dev.doyen.membership.ViewId;

/**
 * The one message that members send each other (rule V2): all that the sender has to say, so that losing one costs nothing but
 * time, and an older one is known as such.
 *
 * @param view that the sender has installed
 * @param number counts what the sender said: each write, ping and view
 * @param heard the greatest number of the receiver's that the sender has heard in this view; 0 for none
 * @param seen the greatest term the sender knows of
 * @param asks whether an answer is wanted
 * @param entry the sender's
 */
public record RosterMessage(ViewId view, long number, long heard, long seen, boolean asks, Entry entry) {}
