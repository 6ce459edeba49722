/**
 * What becomes of a command that runs only while this process leads: the machine behind {@code doyen run}. Pure; the
 * clock comes with each input, and what is to be done goes out as effects. {@code run.driver} carries them out.
 *
 * <p>Entry type: {@code RunMachine}.
 */
@NullMarked
package dev.doyen.server.run;

import org.jspecify.annotations.NullMarked;
