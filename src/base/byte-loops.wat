;; Two loops over many bytes. A hook runs for a few milliseconds, in which JavaScript is interpreted, not
;; compiled. WebAssembly runs at full speed from the first byte.
;;
;; Memory layout: 0 the CRC table · 1024 the class of each byte · 4096 a bit set over triples of classes:
;; those that start a keyword · 65536 the text, followed by at least two zero bytes · 196608 the positions
;; found.
(module
  (memory (export "memory") 8)

  ;; Continues the checksum `crc` over `length` bytes of the text.
  (func (export "crc32") (param $crc i32) (param $length i32) (result i32)
    (local $at i32) (local $end i32)
    (local.set $at (i32.const 65536))
    (local.set $end (i32.add (i32.const 65536) (local.get $length)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $crc
          (i32.xor
            (i32.shr_u (local.get $crc) (i32.const 8))
            (i32.load
              (i32.shl
                (i32.and (i32.xor (local.get $crc) (i32.load8_u (local.get $at))) (i32.const 255))
                (i32.const 2)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (local.get $crc))

  ;; Stores every position in the first `length` bytes where a keyword may start, and returns how many.
  (func (export "places") (param $length i32) (result i32)
    (local $at i32) (local $out i32) (local $three i32)
    (local.set $out (i32.const 196608))
    (local.set $three
      (i32.or
        (i32.shl (i32.load8_u offset=1024 (i32.load8_u (i32.const 65536))) (i32.const 6))
        (i32.load8_u offset=1024 (i32.load8_u (i32.const 65537)))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        (local.set $three
          (i32.or
            (i32.and (i32.shl (local.get $three) (i32.const 6)) (i32.const 0x3ffff))
            (i32.load8_u offset=1024 (i32.load8_u offset=65538 (local.get $at)))))
        (if
          (i32.and
            (i32.shr_u
              (i32.load8_u offset=4096 (i32.shr_u (local.get $three) (i32.const 3)))
              (i32.and (local.get $three) (i32.const 7)))
            (i32.const 1))
          (then
            (i32.store (local.get $out) (local.get $at))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (i32.const 196608)) (i32.const 2))))
