/**
 * Elections in Spring Boot.
 *
 * <p>{@link dev.doyen.spring.LeaderOnly} methods run only on the leader. {@link dev.doyen.spring.LeaderElections} has
 * this application's candidates. {@link dev.doyen.spring.DoyenProperties} has the settings under {@code doyen.}. Start
 * reading at {@link dev.doyen.spring.DoyenAutoConfiguration}.
 *
 * <p>The promises are those of the underlying elections (docs/spec/lease.md): at most one leader if clock rates differ
 * by less than 10 %, and a term for fencing.
 */
@NullMarked
package dev.doyen.spring;

import org.jspecify.annotations.NullMarked;
