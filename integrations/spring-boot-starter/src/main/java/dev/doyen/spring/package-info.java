/**
 * Provides elections for Spring Boot applications.
 *
 * <p>{@link dev.doyen.spring.LeaderOnly} methods run only on the leader. {@link dev.doyen.spring.LeaderElections}
 * contains this application's candidates. {@link dev.doyen.spring.DoyenProperties} contains the settings under
 * {@code doyen.}. Start reading at {@link dev.doyen.spring.DoyenAutoConfiguration}.
 *
 * <p>The package has the same guarantees as the underlying elections (docs/spec/lease.md). An election by lease has at
 * most one leader if clock rates differ by less than 10 %. Each of its leaderships has a term for fencing.
 */
@NullMarked
package dev.doyen.spring;

import org.jspecify.annotations.NullMarked;
