/**
 * Provides fake elections for tests of Spring Boot applications.
 *
 * <p>{@link dev.doyen.spring.test.AutoConfigureFakeElections} replaces the application's elections with
 * {@link dev.doyen.spring.test.FakeElections}, which the test controls. Each election has its own virtual clock,
 * which only the test advances. Start reading at {@link dev.doyen.spring.test.AutoConfigureFakeElections}.
 */
@NullMarked
package dev.doyen.spring.test;

import org.jspecify.annotations.NullMarked;
