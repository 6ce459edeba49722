/** Contains the code of docs/guide/spring.md. */
@NullMarked
package dev.doyen.spring.test.guide;

import org.jspecify.annotations.NullMarked;
