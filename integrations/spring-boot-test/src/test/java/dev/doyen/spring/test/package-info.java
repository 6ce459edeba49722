/** Tests of the fake elections in application contexts. */
@NullMarked
package dev.doyen.spring.test;

import org.jspecify.annotations.NullMarked;
