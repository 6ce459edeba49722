/**
 * Tests of Spring Boot applications that elect: {@link dev.doyen.spring.test.AutoConfigureFakeElections} puts elections that
 * the test directs in the place of the application's own, and {@link dev.doyen.spring.test.FakeElections} has them.
 *
 * <p>Clocks: each election has a virtual one of its own, which passes only when the test says so.
 */
@NullMarked
package dev.doyen.spring.test;

import org.jspecify.annotations.NullMarked;
