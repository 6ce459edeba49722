/**
 * Tests of Spring Boot applications with elections.
 *
 * <p>{@link dev.doyen.spring.test.AutoConfigureFakeElections} replaces the application's elections by
 * {@link dev.doyen.spring.test.FakeElections}, which the test directs. Each election has its own virtual clock, which
 * only the test advances. Start reading at {@link dev.doyen.spring.test.AutoConfigureFakeElections}.
 */
@NullMarked
package dev.doyen.spring.test;

import org.jspecify.annotations.NullMarked;
