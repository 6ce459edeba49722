/**
 * Runs the demonstration of the quorum store: starts the members as processes, sends them signals and commands, and serves
 * the page at {@code /quorum/}. It may call the packages {@code http} and {@code console} for the page.
 *
 * <p>Start reading at {@link dev.doyen.server.quorumdemo.driver.QuorumDemo}, which runs in the parent, and at
 * {@link dev.doyen.server.quorumdemo.driver.MemberProgram}, which runs in each member's process.
 */
@NullMarked
package dev.doyen.server.quorumdemo.driver;

import org.jspecify.annotations.NullMarked;
