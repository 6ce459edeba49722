/**
 * Elections in Spring Boot: {@link dev.doyen.spring.LeaderOnly} methods run on the leader only,
 * {@link dev.doyen.spring.LeaderElections} has the candidates of this application, and {@link dev.doyen.spring.DoyenProperties}
 * the settings under {@code doyen.}.
 *
 * <p>Clocks and promises are those of the elections underneath (docs/spec/lease.md): at most one leader if clock rates differ
 * by less than 10 %, and a term to fence with.
 */
@NullMarked
package dev.doyen.spring;

import org.jspecify.annotations.NullMarked;
